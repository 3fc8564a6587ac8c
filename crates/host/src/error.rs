use plumbline_contract::{CommandError, CommandErrorCode, HostErrorCode};

/// A failure of the host's own.
pub(crate) fn failed(code: HostErrorCode, message: impl Into<String>) -> CommandError {
    CommandError { code: CommandErrorCode::Host(code), message: message.into() }
}

pub(crate) fn unfinished() -> CommandError {
    failed(HostErrorCode::Internal, "this is not there yet")
}
