import type { Remote } from '../../remote/connect.js'

/** The simulator of a page, for its panel. */
export interface PanelSource {
  readonly main: Remote
  /** Returns undefined for a sandbox that does not exist. */
  sandbox(id: string): Remote | undefined
}

/** The view that the panel shows, for when it is opened again. */
export interface PanelMemory {
  hash: string
}

/**
 * Shows the panel.
 *
 * @param parent is in a shadow root
 * @returns a function that removes the panel
 */
export function mountPanel(
  parent: HTMLElement,
  source: PanelSource,
  memory: PanelMemory,
  onClose: () => void,
): () => void
