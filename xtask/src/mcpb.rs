//! The `.mcpb` file: the command line with its models and a manifest, by which a desktop client installs the server with one click.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::workspace::Workspace;

pub const PROGRAM: &str = if cfg!(windows) { "plumbline.exe" } else { "plumbline" };
/// The version of the bundles' specification that the manifest keeps to.
const MANIFEST_VERSION: &str = "0.3";
const MODELS: [&str; 2] = ["embed-en-nl", "reader-en-nl"];
const ICON: &str = "assets/icons/128x128@2x.png";
/// What the server offers, as a client shows it before it is installed; a test holds it to what the server says.
const TOOLS: [(&str, &str); 7] = [
    ("ask", "Answers a question from the library, with its sources, or says why not"),
    ("check_statement", "Checks a text sentence by sentence against the library"),
    ("search_passages", "Finds passages of the library"),
    ("define_term", "Looks a term up in the vocabulary of record"),
    ("list_documents", "Lists documents of the library"),
    ("get_document", "Gives one document with its passages"),
    ("library_status", "Says what the library holds and how it is"),
];

/// Packs the program that was built, and says where the file is.
pub fn bundle(workspace: &Workspace, program: &Path) -> Result<PathBuf> {
    let folder = workspace.target().join("release/bundle/mcpb");
    fs::create_dir_all(&folder)?;
    let name =
        format!("plumbline-{}-{}-{}.mcpb", env!("CARGO_PKG_VERSION"), platform(), std::env::consts::ARCH);
    let file = folder.join(name);
    pack(workspace, program, &file, CompressionMethod::Deflated)?;
    Ok(file)
}

fn pack(workspace: &Workspace, program: &Path, file: &Path, method: CompressionMethod) -> Result<()> {
    let created = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    let mut archive = ZipWriter::new(created);
    let plain = SimpleFileOptions::default().compression_method(method);
    archive.start_file("manifest.json", plain)?;
    serde_json::to_writer_pretty(&mut archive, &manifest())?;
    let mut add = |name: String, from: &Path, options: SimpleFileOptions| -> Result<()> {
        archive.start_file(name, options)?;
        let mut source = File::open(from).with_context(|| format!("there is no {}", from.display()))?;
        io::copy(&mut source, &mut archive)?;
        Ok(())
    };
    add(format!("server/{PROGRAM}"), program, plain.unix_permissions(0o755))?;
    add("icon.png".to_owned(), &workspace.root.join(ICON), plain)?;
    for model in MODELS {
        let folder = workspace.root.join("assets/models").join(model);
        let mut files: Vec<PathBuf> = fs::read_dir(&folder)
            .with_context(|| format!("there is no {}", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            add(format!("server/models/{model}/{name}"), &path, plain)?;
        }
    }
    archive.finish()?;
    Ok(())
}

fn manifest() -> Value {
    let tools: Vec<Value> =
        TOOLS.iter().map(|(name, description)| json!({ "name": name, "description": description })).collect();
    json!({
        "manifest_version": MANIFEST_VERSION,
        "name": "plumbline",
        "display_name": "Plumbline",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Answers only what your architecture documents can bear, and checks statements against them",
        "long_description": "Serves the library that the Plumbline window or command line has indexed on this machine. Nothing leaves the machine.",
        "author": { "name": "Plumbline" },
        "license": "Apache-2.0",
        "icon": "icon.png",
        "server": {
            "type": "binary",
            "entry_point": format!("server/{PROGRAM}"),
            "mcp_config": { "command": format!("${{__dirname}}/server/{PROGRAM}"), "args": ["mcp"], "env": {} },
        },
        "tools": tools,
        // Prompts and resources are in the user's language and library, so the server tells them.
        "prompts_generated": true,
        "compatibility": { "platforms": [platform()] },
    })
}

/// As bundles call it.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    use super::*;

    /// Unpacked as a client does it: the manifest says what to start.
    #[test]
    fn what_is_packed_starts_where_it_is_unpacked() {
        let workspace = Workspace::locate().unwrap();
        let program = workspace.target().join("debug").join(PROGRAM);
        if !program.is_file() {
            println!("skipped: the command line is not built");
            return;
        }
        let folder = std::env::temp_dir().join(format!("plumbline-mcpb-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("plumbline.mcpb");
        // Not compressed: that would take minutes with a program that is not optimised.
        pack(&workspace, &program, &file, CompressionMethod::Stored).unwrap();
        let unpacked = folder.join("unpacked");
        zip::ZipArchive::new(File::open(&file).unwrap()).unwrap().extract(&unpacked).unwrap();
        let manifest: Value =
            serde_json::from_slice(&fs::read(unpacked.join("manifest.json")).unwrap()).unwrap();
        let config = &manifest["server"]["mcp_config"];
        let here = unpacked.display().to_string();
        let command = config["command"].as_str().unwrap().replace("${__dirname}", &here);
        assert_eq!(Path::new(&command), unpacked.join(manifest["server"]["entry_point"].as_str().unwrap()));
        let mut server = Command::new(command)
            .args(config["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()))
            .arg("--workspace")
            .arg(folder.join("workspace"))
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = server.stdin.take().unwrap();
        for message in [
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
                "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
            json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "library_status",
                "arguments": {} } }),
        ] {
            writeln!(input, "{message}").unwrap();
        }
        let lines = BufReader::new(server.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut answers = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        let mut told: BTreeMap<u64, Value> = BTreeMap::new();
        while !(told.contains_key(&2) && told.contains_key(&3)) {
            let answer = answers.next().expect("an answer to both");
            told.insert(answer["id"].as_u64().unwrap_or_default(), answer["result"].clone());
        }
        drop(input);
        server.wait().unwrap();
        let names = |tools: &Value| -> BTreeSet<String> {
            tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&manifest["tools"]), names(&told[&2]["tools"]), "the manifest names every tool");
        assert_eq!(told[&3]["structuredContent"]["indexed"], false, "a tool is called: {}", told[&3]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
