import type {
  Remote,
  RemoteJournal,
  RemotePolicies,
  RemoteSandboxes,
} from '../../remote/connect.js'
import type { SandboxInfo, SandboxRequest } from '../../sandbox/sandboxes/sandboxes.js'

/** What the shared views need of a world. `connect()` has it for a server, and a page for its simulator. */
export interface WorldRemote
  extends Pick<
    Remote,
    | 'url'
    | 'world'
    | 'snapshots'
    | 'clock'
    | 'keys'
    | 'faults'
    | 'actors'
    | 'reset'
    | 'changes'
    | 'record'
    | 'explain'
    | 'example'
    | 'vocabulary'
    | 'health'
  > {
  readonly policies: Pick<RemotePolicies, 'list' | 'set'>
  readonly journal: Omit<RemoteJournal, 'verify'>
  readonly sandboxes: Pick<RemoteSandboxes, 'list' | 'delete'> & {
    create(request: SandboxRequest): Promise<SandboxInfo>
  }
}

/** The simulator of a page, for its panel. */
export interface PanelSource {
  readonly main: WorldRemote
  /** After the end of the sandbox, each method throws. */
  sandbox(id: string): WorldRemote
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
