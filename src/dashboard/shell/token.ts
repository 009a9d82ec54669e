const kept = 'understudy-token'

/**
 * The token that the control API asks for: from `#token=…` in the address, whence it is taken away, or from before
 * in this tab. It is kept no longer than the tab is open.
 */
export function takeToken(page: Location, history: History, storage: Storage): string | undefined {
  const given = /^#token=(.+)$/.exec(page.hash)?.[1]
  if (given !== undefined) {
    storage.setItem(kept, decodeURIComponent(given))
    history.replaceState(null, '', `${page.pathname}${page.search}#/`)
  }
  return storage.getItem(kept) ?? undefined
}

/** Keeps a token for this tab. */
export function keepToken(token: string, storage: Storage): void {
  storage.setItem(kept, token)
}
