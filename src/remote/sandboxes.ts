import type { SandboxInfo } from '../sandboxes/info.ts'
import type { SandboxRequest } from '../sandboxes/request.ts'
import type { ControlClient } from './line.ts'
import type { Remote } from './remote.ts'

/** A sandbox that was made, with its keys, and a client of its own. */
export interface CreatedSandbox extends SandboxInfo {
  readonly remote: Remote
}

/** The sandboxes of a server, as in-process. */
export interface RemoteSandboxes {
  /** Begins another world. `remote` of what it gives controls that world alone. */
  create(request?: SandboxRequest): Promise<CreatedSandbox>
  list(): Promise<SandboxInfo[]>
  /** What a caller needs to know of one; undefined where there is none. */
  info(id: string): Promise<SandboxInfo | undefined>
  /** A client of one; undefined where there is none. */
  get(id: string): Promise<Remote | undefined>
  /** Ends one and frees what it holds; false when there is none of that id. */
  delete(id: string): Promise<boolean>
}

/** @param open makes a client of a line */
export function remoteSandboxes(
  line: ControlClient,
  open: (line: ControlClient) => Remote,
): RemoteSandboxes {
  const info = (id: string): Promise<SandboxInfo | undefined> =>
    line.callOrUndefined('retrieveSandbox', { params: { id } })
  return {
    info,
    async create(body = {}) {
      const made = await line.call<SandboxInfo>('createSandbox', { body })
      return { ...made, remote: open(line.at(made.url)) }
    },
    list: () => line.call('listSandboxes'),
    async get(id) {
      const found = await info(id)
      return found && open(line.at(found.url))
    },
    delete: (id) => line.remove('deleteSandbox', { id }),
  }
}
