import { type BaseUrl, formatBaseUrl, sandboxPrefix } from '../http/base.ts'
import type { Sandbox } from '../sandbox.ts'
import { formatIsoTime } from '../world/time.ts'

/** A sandbox, as whoever talks to it needs to know it. */
export interface SandboxInfo {
  readonly id: string
  /** The base URL for requests without a key, and for the control API of this sandbox */
  readonly url: string
  readonly keys: readonly {
    readonly value: string
    readonly label: string | null
    readonly scopes: readonly string[] | null
  }[]
  readonly projects: readonly {
    readonly id: number
    readonly name: string
    readonly organization: string
  }[]
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  /** ISO 8601, UTC; null for one that does not end by itself */
  readonly expires_at: string | null
}

interface ListedSandbox {
  readonly id: string
  readonly sandbox: Sandbox
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
}

/** What is told of a sandbox that stands below a base. */
export function toSandboxInfo(
  { id, sandbox, expiresAt }: ListedSandbox,
  base: BaseUrl,
): SandboxInfo {
  const { keys, projects, organizations } = sandbox.tables
  return {
    id,
    url: `${formatBaseUrl(base)}${sandboxPrefix}/${id}`,
    keys: [...keys.values()]
      .filter(({ value }) => !sandbox.isTakenElsewhere(value))
      .map(({ value, label, scopes }) => ({ value, label, scopes })),
    projects: [...projects.values()].map((row) => ({
      id: row.id,
      name: row.name,
      organization: row.organization,
    })),
    organizations: [...organizations.values()].map((row) => ({ id: row.id, name: row.name })),
    expires_at: expiresAt === null ? null : formatIsoTime(expiresAt),
  }
}
