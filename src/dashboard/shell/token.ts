const storageKey = 'understudy-token'

/**
 * The token that the control API asks for: from `#token=…` in the address, whence it is taken away, or from before
 * in this tab. It is kept no longer than the tab is open.
 */
export function readToken(page: Location, history: History, storage: Storage): string | undefined {
  const given = /^#token=(.+)$/.exec(page.hash)?.[1]
  if (given !== undefined) {
    storage.setItem(storageKey, decodeURIComponent(given))
    history.replaceState(null, '', `${page.pathname}${page.search}#/`)
  }
  return storage.getItem(storageKey) ?? undefined
}

/** Keeps a token for this tab. */
export function storeToken(token: string, storage: Storage): void {
  storage.setItem(storageKey, token)
}
