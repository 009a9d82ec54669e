import type { AsyncLocalStorage } from 'node:async_hooks'

/** A value that code has with all the code that it calls, also after it waited. */
export type AsyncContext<T> = Pick<AsyncLocalStorage<T>, 'getStore' | 'run'>

/** Null in a page. A context makes each promise of the process slower from its first use on. */
export function createAsyncContext<T>(): AsyncContext<T> | null {
  const { getBuiltinModule } = globalThis.process ?? {}
  const hooks = getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage() : null
}
