//! What a client gets to see: tools, resources and prompts over one workspace.

use std::borrow::Cow;
use std::sync::Arc;

use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use plumbline_core::ports::Scope;
use plumbline_workspace::{WorkspaceError, WorkspaceOptions};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerInfo,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::served::Served;
use crate::{prompts, resources, tools};

/// A Model Context Protocol server over one workspace. Cheap to clone; every clone is the same server.
#[derive(Clone)]
pub struct Server {
    served: Arc<Served>,
}

impl Server {
    /// A server over the workspace of these options; `scope` is what its user may see. Nothing is opened yet.
    pub fn new(options: WorkspaceOptions, scope: Scope, language: Language) -> Self {
        Self { served: Arc::new(Served::new(options, scope, language)) }
    }

    /// Opens the workspace, so that the first call need not wait for it.
    pub async fn warm_up(&self) {
        if let Ok(open) = self.served.open().await
            && let Some(embedder) = &open.engine.embedder
        {
            // It fails again, and is told, when a call needs it.
            let _ = embedder.embedder.prepare().await;
        }
    }

    /// Keeps what was counted; once, at the end.
    pub async fn keep_counters(&self) -> Result<(), WorkspaceError> {
        self.served.keep_counters().await
    }
}

/// What is spoken: a client introduces itself once. Later versions have it do so with every request.
const PROTOCOLS: [ProtocolVersion; 4] = [
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
];

impl ServerHandler for Server {
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&PROTOCOLS)
    }

    fn get_info(&self) -> ServerInfo {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut info = ServerInfo::new(capabilities);
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info.server_info =
            Implementation::new("plumbline", env!("CARGO_PKG_VERSION")).with_title("Plumbline");
        info.with_instructions(Messages::of(self.served.language()).text(Message::McpInstructions, &[]))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: tools::list(), ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(tools::call(&self.served, request, context).await?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        resources::page(&self.served, request).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(resources::read(&self.served, &request.uri).await?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult {
            prompts: prompts::list(self.served.language()),
            ..ListPromptsResult::default()
        })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request, self.served.language())?.into())
    }
}
