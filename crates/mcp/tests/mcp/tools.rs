use std::time::Duration;

use plumbline_core::response::AskResponse;
use rmcp::model::{
    CallToolRequestParams, ClientRequest, GetPromptRequestParams, ReadResourceRequestParams, Request,
    ResourceContents,
};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use crate::world::{Client, call, called, connected, sample, server, text};

async fn read(client: &Client, address: &str) -> Result<String, String> {
    let result = client.read_resource(ReadResourceRequestParams::new(address)).await;
    let result = result.map_err(|problem| problem.to_string())?;
    match &result.contents[0] {
        ResourceContents::TextResourceContents { text, .. } => Ok(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_learns_what_it_can_do() {
    let client = connected(server(sample())).await;
    let info = client.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "plumbline");
    assert!(info.instructions.as_deref().unwrap().contains("check_statement"));
    let tools: Vec<String> =
        client.list_all_tools().await.unwrap().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(
        tools,
        [
            "ask",
            "search_passages",
            "define_term",
            "list_documents",
            "get_document",
            "library_status",
            "check_statement"
        ]
    );
    let shapes = client.list_all_resource_templates().await.unwrap();
    assert_eq!(shapes.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_comes_whole_with_its_notes_and_its_progress() {
    let client = connected(server(sample())).await;
    let (data, text) =
        called(&client, "ask", json!({ "question": "Which broker do we use for event streaming?" })).await;
    let response: AskResponse = serde_json::from_value(data).unwrap();
    assert!(!response.refused && response.answer.contains("Kafka"), "{}", response.answer);
    assert!(
        text.contains("Kafka") && text.contains("[1] ") && text.contains("plumbline://passage/adr-0018/")
    );
    let progress = client.service().progress.lock().unwrap().clone();
    assert!(progress.len() > 2, "the stages are told: {progress:?}");
    // The client takes notifications in side by side, so the order in which they came is not seen here.
    let mut steps: Vec<f64> = progress.iter().map(|told| told.progress).collect();
    steps.sort_by(f64::total_cmp);
    assert!(steps.is_sorted_by(|a, b| a < b), "and each goes on: {steps:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_a_result_and_a_wrong_call_says_what_is_wrong() {
    let client = connected(server(sample())).await;
    let (data, text) = called(&client, "ask", json!({ "question": "How do I bake sourdough bread?" })).await;
    assert_eq!((&data["refused"], &data["action"]), (&json!(true), &json!("REFUSE")));
    assert!(!text.is_empty());
    for (tool, arguments, wanted) in [
        ("ask", json!({ "question": "  " }), "question"),
        ("ask", json!({}), "question"),
        ("ask", json!({ "question": "x".repeat(9000) }), "8000"),
        ("search_passages", json!({ "query": 7 }), "string"),
        ("list_documents", json!({ "kind": "novel" }), "novel"),
        ("get_document", json!({ "id": "ADR-9999" }), "nearest"),
        ("get_document", json!({ "id": "../../etc/passwd" }), "names no document"),
        ("check_statement", json!({ "text": "word ".repeat(60_000) }), "200000"),
    ] {
        let result = call(&client, tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{tool} {arguments}");
        assert!(crate::tools::text(&result).contains(wanted), "{tool}: {}", crate::tools::text(&result));
    }
    assert!(client.call_tool(CallToolRequestParams::new("no_such_tool")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_listed_found_and_read() {
    let client = connected(server(sample())).await;
    let (listed, _) = called(&client, "list_documents", json!({ "kind": "principle" })).await;
    assert_eq!(listed["total"], 20);
    let (some, text) =
        called(&client, "list_documents", json!({ "kind": "principle", "about": "encryption" })).await;
    assert!(some["total"].as_u64().unwrap() < 20 && text.contains("pcp-0039"), "{text}");
    let (document, text) = called(&client, "get_document", json!({ "id": "ADR.15" })).await;
    assert_eq!(document["document"]["id"], "adr-0015");
    assert!(text.contains("Backups are encrypted with separate keys."), "{text}");
    let (by_address, _) =
        called(&client, "get_document", json!({ "id": "plumbline://document/adr-0015" })).await;
    assert_eq!(by_address, document);
    let (found, _) =
        called(&client, "search_passages", json!({ "query": "separate backup keys", "limit": 3 })).await;
    let passages = found["passages"].as_array().unwrap();
    assert!(!passages.is_empty() && passages.len() <= 3);
    let address = passages[0]["address"].as_str().unwrap();
    let whole = read(&client, address).await.unwrap();
    assert!(whole.contains(passages[0]["text"].as_str().unwrap()), "what was found can be read: {whole}");
    let (status, text) = called(&client, "library_status", json!({})).await;
    assert_eq!((&status["indexed"], &status["documents"]["Principle"]), (&json!(true), &json!(20)));
    assert!(!text.contains('/'), "no path of this machine is told: {text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_are_defined_and_their_concepts_have_addresses() {
    let client = connected(server(sample())).await;
    let (defined, text) = called(&client, "define_term", json!({ "term": "substation" })).await;
    let uri = defined["definition"]["uri"].as_str().unwrap_or_else(|| panic!("{defined:#}"));
    let address = text.split_whitespace().find_map(|word| {
        let word = word.trim_matches(['(', ')']);
        word.starts_with("plumbline://concept/").then_some(word)
    });
    let concept = read(&client, address.unwrap()).await.unwrap();
    let definition = defined["definition"]["definitions"][0].as_str().unwrap();
    assert!(concept.contains(definition), "{uri}: {concept}");
    let (unknown, _) = called(&client, "define_term", json!({ "term": "flibbertigibbet" })).await;
    assert_eq!(unknown["refused"], true, "a term that is not there is a result too");
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_are_checked_with_progress() {
    let client = connected(server(sample())).await;
    let text = "# Draft\n\nBackups are encrypted with separate keys. Backups are encrypted with keys of 4711 bits.\n\n\
                According to ADR-0003, backups are encrypted with separate keys.";
    let (checked, told) = called(&client, "check_statement", json!({ "text": text })).await;
    let verdicts: Vec<&Value> =
        checked["statements"].as_array().unwrap().iter().map(|statement| &statement["verdict"]).collect();
    assert_eq!(verdicts, ["supported", "not_supported", "supported_elsewhere"], "{told}");
    assert!(!checked["statements"][0]["passages"][0]["marked"].as_array().unwrap().is_empty());
    assert!(told.contains("“4711”") && told.contains("[1] "), "{told}");
    let progress = client.service().progress.lock().unwrap().clone();
    let steps: Vec<(f64, Option<f64>)> = progress.iter().map(|step| (step.progress, step.total)).collect();
    assert_eq!(steps, [(1.0, Some(3.0)), (2.0, Some(3.0)), (3.0, Some(3.0))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_are_documents_under_addresses_that_stay() {
    let client = connected(server(sample())).await;
    let resources = client.list_all_resources().await.unwrap();
    assert!(resources.len() > 80, "{}", resources.len());
    let document = resources.iter().find(|one| one.uri == "plumbline://document/adr-0015").unwrap();
    assert!(read(&client, &document.uri).await.unwrap().contains("separate keys"));
    for unknown in
        ["plumbline://document/adr-9999", "plumbline://passage/adr-0015/9999", "file:///etc/passwd", ""]
    {
        let problem = read(&client, unknown).await.unwrap_err();
        assert!(problem.contains("nothing at"), "{unknown}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_come_filled_in() {
    let client = connected(server(sample())).await;
    let prompts = client.list_all_prompts().await.unwrap();
    assert_eq!(prompts.len(), 2);
    for prompt in prompts {
        let argument = &prompt.arguments.as_ref().unwrap()[0].name;
        let arguments = json!({ argument: "Backups are encrypted." }).as_object().cloned().unwrap();
        let params = GetPromptRequestParams::new(prompt.name.clone()).with_arguments(arguments);
        let filled = client.get_prompt(params).await.unwrap();
        let text = serde_json::to_string(&filled.messages).unwrap();
        assert!(text.contains("Backups are encrypted.") && !text.contains(&format!("{{{argument}}}")));
        assert!(
            client.get_prompt(GetPromptRequestParams::new(prompt.name)).await.is_err(),
            "without it there is none"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_is_called_off_stops_and_the_next_call_is_served() {
    let client = connected(server(sample())).await;
    called(&client, "library_status", json!({})).await;
    let text: String =
        (0..400).map(|n| format!("Backups of system {n} are encrypted with separate keys. ")).collect();
    let params = CallToolRequestParams::new("check_statement")
        .with_arguments(json!({ "text": text }).as_object().cloned().unwrap());
    let request = ClientRequest::CallToolRequest(Request::new(params));
    let handle = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    let told = client.service().progress.clone();
    while told.lock().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    handle.cancel(Some("enough".to_owned())).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = told.lock().unwrap().len();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(told.lock().unwrap().len(), after, "nothing goes on behind it");
    assert!(after < 400);
    called(&client, "library_status", json!({})).await;
}
