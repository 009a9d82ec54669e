/** One of several servers behind a proxy. What it issues names it, so that the proxy knows where a request belongs. */
export interface Replica {
  /** Counted from 1 */
  readonly number: number
  /** How many replicas there are */
  readonly of: number
  /**
   * Letters and digits that differ for each run of the replica. Clients of an earlier run then never reach a new
   * sandbox. Without it, a replica issues the same keys and ids in each run.
   */
  readonly run?: string
}

/** The start of the keys that a server issues. @example keyPrefix({ number: 2, of: 4 }) // 'phx_r2_' */
export function keyPrefix(replica: Replica | null): string {
  return replica ? `phx_r${replica.number}_` : 'phx_'
}

/** The start of the ids of sandboxes. @example sandboxIdPrefix({ number: 2, of: 4, run: 'm1' }) // 'r2-m1-' */
export function sandboxIdPrefix(replica: Replica | null): string {
  if (!replica) return ''
  return `r${replica.number}-${replica.run === undefined ? '' : `${replica.run}-`}`
}

/** The number of the replica that issued a key. Null for a chosen key that names no replica. */
export function replicaOfKey(value: string): number | null {
  const [, number] = /^phx_r([1-9]\d*)_/.exec(value) ?? []
  return number === undefined ? null : Number(number)
}

/** Whether requests with a key are routed to another replica than the given one. */
export function isKeyOfOtherReplica(value: string, replica: Replica | null): boolean {
  const number = replica && replicaOfKey(value)
  return number !== null && number !== replica?.number
}

/** The part of a chosen key that proxies hash: what precedes its first dot. */
export function hashedPart(key: string): string {
  return key.split('.', 1)[0] as string
}

/** Explains by the replica in an id why no sandbox has it. Undefined if that does not explain it. */
export function missingSandboxReason(id: string, replica: Replica | null): string | undefined {
  const [, number] = (replica && /^r([1-9]\d*)-/.exec(id)) ?? []
  if (!replica || number === undefined || id.startsWith(sandboxIdPrefix(replica))) {
    return undefined
  }
  return Number(number) === replica.number
    ? `it ended when replica ${number} was restarted`
    : `it is on replica ${number}, and this is replica ${replica.number}`
}
