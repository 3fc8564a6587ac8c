mod styles;
