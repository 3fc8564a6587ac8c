//! The paths in a module's source that lead to other modules.

use std::collections::BTreeSet;

use super::Module;

/// The modules that a module's source names. Of a path such as `crate::a::b::Thing` that is `a::b` where there is such a module,
/// else `a`, whatever may be exported through it.
pub fn used_by(module: &Module, tokens: &[String], known: &BTreeSet<Module>) -> BTreeSet<Module> {
    let mut used = BTreeSet::new();
    for at in 0..tokens.len() {
        let token = |at: usize| tokens.get(at).map_or("", String::as_str);
        let begins_path = token(at + 1) == "::" && (at == 0 || !matches!(token(at - 1), "::" | "in"));
        if !begins_path {
            continue;
        }
        let start = match token(at) {
            "crate" => Some(Module::new()),
            "self" => Some(module.clone()),
            "super" => parent(module),
            // A module's own children need no `self`.
            name => child(module, name, known),
        };
        if let Some(start) = start {
            follow(start, &tokens[at + 2..], known, &mut used);
        }
    }
    used
}

fn parent(module: &Module) -> Option<Module> {
    module.split_last().map(|(_, parent)| parent.to_vec())
}

fn child(module: &Module, name: &str, known: &BTreeSet<Module>) -> Option<Module> {
    let child = [module.as_slice(), &[name.to_owned()]].concat();
    known.contains(&child).then_some(child)
}

/// Takes in where a path leads from a module, each branch of `{a, b::{c, d}}` by itself; how many tokens it is long.
fn follow(from: Module, tokens: &[String], known: &BTreeSet<Module>, used: &mut BTreeSet<Module>) -> usize {
    let first = tokens.first().map_or("", String::as_str);
    if first == "{" {
        let mut at = 1;
        while at < tokens.len() && tokens[at] != "}" {
            at += match tokens[at].as_str() {
                "," => 1,
                // With the name that it gets here.
                "as" => 2,
                _ => follow(from.clone(), &tokens[at..], known, used),
            };
        }
        return at + 1;
    }
    let step = if first == "super" { parent(&from) } else { child(&from, first, known) };
    let goes_on = tokens.get(1).is_some_and(|token| token == "::");
    match (step, goes_on) {
        (Some(module), true) => 2 + follow(module, &tokens[2..], known, used),
        (Some(module), false) => {
            used.insert(module);
            1
        }
        // Something in the module: a type, a function, or what stands before `::` of an enum's variant.
        (None, _) => {
            used.insert(from);
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::source::tokens;
    use super::super::{Module, shown};
    use super::used_by;

    fn used(from: &str, text: &str) -> Vec<String> {
        let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
        let known: BTreeSet<Module> =
            ["a", "a::b", "a::b::c", "a::d", "e"].into_iter().map(module).chain([Module::new()]).collect();
        used_by(&module(from), &tokens(text), &known).iter().map(shown).collect()
    }

    #[test]
    fn every_form_of_a_path_is_followed_to_its_module() {
        assert_eq!(used("e", "use crate::a::b::Thing;"), ["a::b"]);
        assert_eq!(
            used("e", "use crate::{Task, a::{self as x, b::{c, Thing}, d::*}};"),
            ["crate", "a", "a::b", "a::b::c", "a::d"]
        );
        assert_eq!(used("e", "let x = crate::a::d::f(crate::a::Kind::One);"), ["a", "a::d"]);
        assert_eq!(used("a::b", "use super::d::Thing; use super::super::e; super::f();"), ["a", "a::d", "e"]);
        assert_eq!(used("a", "use b::c::Thing; d::f();"), ["a::b::c", "a::d"]);
    }

    #[test]
    fn what_only_looks_like_a_path_is_none() {
        assert!(
            used("e", "pub(in crate::a) fn f() {} pub(crate) struct S; std::a::b(); serde::e();").is_empty()
        );
    }
}
