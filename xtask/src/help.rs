//! The overview that `cargo xtask` alone prints.

use crate::Task;

pub fn text(tasks: &[Task]) -> String {
    let width = tasks.iter().map(|task| task.name.len()).max().unwrap_or_default();
    let mut text = String::from("Usage: cargo xtask <command>\n\nCommands:\n");
    for task in tasks {
        text.push_str(&format!("  {:width$}  {}\n", task.name, task.summary));
    }
    text.push_str(
        "\nTools are kept in $PLUMBLINE_CACHE, by default the folder `plumbline` in the platform's cache.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::TASKS;

    #[test]
    fn every_command_has_its_line() {
        let text = text(TASKS);
        for task in TASKS {
            let line = text.lines().find(|line| line.trim_start().starts_with(task.name));
            assert!(
                line.is_some_and(|line| line.ends_with(task.summary)),
                "{} is missing from help",
                task.name
            );
        }
    }
}
