import { AsyncLocalStorage } from 'node:async_hooks'

/** The `fetch` that clients keep. One per process, which has one `fetch`. */
export const keptFetch: { isReplaced: boolean; isIntercepted(input: unknown): boolean } = {
  isReplaced: false,
  /** Whether MSW is to get a request. It gets each only once: it lets those that it does not answer go on to the network. */
  isIntercepted: () => false,
}

/**
 * Replaces `fetch` by one that calls what MSW has put in its place by then. Clients keep `fetch` when they are made, often
 * before the test: so does `createClient()` of openapi-fetch.
 */
export function replaceKeptFetch(): void {
  if (keptFetch.isReplaced) return
  keptFetch.isReplaced = true
  const { fetch } = globalThis
  // What MSW has replaced can be this function, also below one that copies each request, such as that of nock.
  const called = new AsyncLocalStorage<true>()
  globalThis.fetch = (...args) =>
    called.getStore() || !keptFetch.isIntercepted(args[0])
      ? fetch(...args)
      : called.run(true, () => globalThis.fetch(...args))
}
