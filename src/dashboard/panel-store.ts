/** What the tab stores of a panel. */
interface PanelState {
  readonly isOpen: boolean
  /** What the dashboard shows */
  readonly hash: string
  /** In percent of the window */
  readonly height: number
}

/** Reads the state, and changes it. */
export interface PanelStore {
  readonly read: () => PanelState
  readonly save: (changes: Partial<PanelState>) => void
}

/** Without a storage, each page starts with a closed panel. */
export function openStore(key: string): PanelStore {
  let state: PanelState = { isOpen: false, hash: '', height: 50 }
  try {
    state = { ...state, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
  } catch {
    // The storage is denied, or its item is not JSON.
  }
  return {
    read: () => state,
    save(changes) {
      state = { ...state, ...changes }
      try {
        sessionStorage.setItem(key, JSON.stringify(state))
      } catch {
        // The storage is denied, or full.
      }
    },
  }
}
