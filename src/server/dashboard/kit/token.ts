import { decodePart } from '../../../utils/escape.ts'

const storageKey = 'understudy-token'

export function readToken(storage: Storage): string | undefined {
  return storage.getItem(storageKey) ?? undefined
}

export function storeToken(token: string, storage: Storage): void {
  storage.setItem(storageKey, token)
}

/** Stores the token of a link such as `/__admin/#token=secret` and removes it from the address bar. */
export function takeTokenFromUrl(page: Location, history: History, storage: Storage): void {
  const token = /^#token=(.+)$/.exec(page.hash)?.[1]
  if (token === undefined) return
  storeToken(decodePart(token), storage)
  history.replaceState(null, '', `${page.pathname}${page.search}#/`)
}
