use crate::session::{Element, Session};

pub const CONTROL: char = '\u{E009}';
pub const ENTER: char = '\u{E007}';
pub const ESCAPE: char = '\u{E00C}';
pub const TAB: char = '\u{E004}';
const SPACE: char = ' ';
const DOWN: char = '\u{E015}';

/// More stops than any view has: who has not arrived by then never does.
const STOPS: usize = 250;

/// Where the focus is, seen from an element; within a group of radio buttons, tabs or options the arrows lead on.
const PLACE: &str = r"
    const [target] = arguments, at = document.activeElement;
    if (at === target) return target.matches('input') ? 'there, a box' : 'there';
    const group = target.closest('[role=tablist], [role=radiogroup], [role=listbox], [role=menu]');
    const radios = target.type === 'radio' && at.type === 'radio' && at.name === target.name;
    return radios || group?.contains(at) ? 'beside' : 'elsewhere';";

/// With what a window is worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hands {
    Mouse,
    /// Nothing but keys: Tab and arrows to get there, Enter or Space to press.
    Keyboard,
}

impl Hands {
    /// Presses something; false where it cannot be pressed now.
    pub async fn press(self, session: &Session, target: &Element<'_>) -> bool {
        match self {
            Self::Mouse => target.click().await.is_ok(),
            Self::Keyboard => {
                let Some(key) = reach(session, target).await else { return false };
                session.key(key).await;
                true
            }
        }
    }
}

/// Chooses from a list that drops down, by keys: it drops into a window of its own, which no driver reaches.
pub async fn choose(session: &Session, list: &Element<'_>, option: &str) -> bool {
    let reached = reach(session, list).await.is_some();
    if reached {
        session.keys(option).await;
    }
    reached
}

/// Brings the focus to a field by keys; false where none lead there.
pub async fn go_to(session: &Session, field: &Element<'_>) -> bool {
    reach(session, field).await.is_some()
}

/// Brings the focus to an element by Tab and arrows; gives the key that presses it.
async fn reach(session: &Session, target: &Element<'_>) -> Option<char> {
    for _ in 0..STOPS {
        match session.ask(target, PLACE).await.ok()?.as_str()? {
            "there" => return Some(ENTER),
            "there, a box" => return Some(SPACE),
            "beside" => session.key(DOWN).await,
            _ => session.key(TAB).await,
        }
    }
    None
}
