//! One handler for every command of the contract's table. Each only calls the host's method of the same name.

// The table names the types of all its arguments and results.
use plumbline_contract::*;
use plumbline_host::Host;
use tauri::State;
use tauri::ipc::{Channel, Invoke};

macro_rules! handler {
    ($name:ident ( $($argument:ident : $type:ty),* ) streams $event:ty => $result:ty) => {
        #[tauri::command(rename_all = "snake_case")]
        async fn $name(
            host: State<'_, Host>,
            $($argument: $type,)*
            events: Channel<Vec<$event>>,
        ) -> Result<$result, CommandError> {
            // A page that has gone hears nothing, and misses nothing.
            host.$name($($argument,)* move |batch| drop(events.send(batch))).await
        }
    };
    ($name:ident ( $($argument:ident : $type:ty),* ) => $result:ty) => {
        #[tauri::command(rename_all = "snake_case")]
        async fn $name(host: State<'_, Host>, $($argument: $type),*) -> Result<$result, CommandError> {
            host.$name($($argument),*).await
        }
    };
}

macro_rules! handlers {
    ($( $purpose:literal $name:ident $arguments:tt $(streams $event:ty)? => $result:ty; )*) => {
        $( handler!($name $arguments $(streams $event)? => $result); )*

        pub fn handlers() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$($name),*]
        }
    };
}

plumbline_contract::with_commands!(handlers);
