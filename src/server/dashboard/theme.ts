const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const storageKey = 'understudy-theme'

export function readTheme(storage: Storage): Theme {
  const stored = storage.getItem(storageKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function saveTheme(theme: Theme, root: HTMLElement, storage: Storage): void {
  storage.setItem(storageKey, theme)
  applyTheme(root, storage)
}

function applyTheme(root: HTMLElement, storage: Storage): void {
  const theme = readTheme(storage)
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.setAttribute('data-theme', theme)
}

// This file is also a blocking script in the head of each page, so that a dark page does not flash white.
applyTheme(document.documentElement, localStorage)
