/** How the page is lit: as the system is, or as somebody chose. */
export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const storageKey = 'understudy-theme'

export function readTheme(storage: Storage): Theme {
  const found = storage.getItem(storageKey)
  return themes.find((theme) => theme === found) ?? 'system'
}

/** Lights the page as was chosen last. */
export function applyTheme(page: HTMLElement, storage: Storage): void {
  const theme = readTheme(storage)
  if (theme === 'system') page.removeAttribute('data-theme')
  else page.setAttribute('data-theme', theme)
}

/** Chooses, and remembers. */
export function saveTheme(theme: Theme, page: HTMLElement, storage: Storage): void {
  storage.setItem(storageKey, theme)
  applyTheme(page, storage)
}
