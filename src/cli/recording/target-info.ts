import { RemoteError } from '../../remote/client.ts'
import { connect, type Remote } from '../../remote/connect.ts'
import { nameWorld, nearestProfile, withoutKeyValues } from '../../scenarios/recording/changes.ts'
import type { RecordingHead } from '../../scenarios/recording/recorder.ts'
import { createSimulator } from '../../simulator.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'

interface TargetInfo {
  readonly isUnderstudy: boolean
  /** The values of keys by their labels */
  readonly keys: Readonly<Record<string, string>>
  readonly head: Omit<RecordingHead, 'title'>
  /** Why an Understudy server does not show its state */
  readonly issue?: string
}

/** Reads keys, policies, clock and world of an Understudy server. Returns nothing for any other target. */
export async function readTargetInfo(
  target: string,
  token: string | undefined,
  withWorld: boolean,
): Promise<TargetInfo> {
  const remote = connect(target, token === undefined ? {} : { token })
  let isUnderstudy = false
  try {
    await remote.health()
    isUnderstudy = true
    const { keys, start } = await readStart(remote, withWorld)
    const policies = await remote.policies.list()
    const { mode, now } = await remote.clock.read()
    const settings = Object.fromEntries(policies.map(({ id, setting }) => [id, setting]))
    const clock = mode === 'frozen' ? { clock: now } : {}
    return {
      isUnderstudy,
      keys,
      head: { ...start, ...nearestProfile(settings as never), ...clock },
    }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const cure = error.status === 401 ? 'Pass its token with --token.' : error.message
    const issue = `The recording lacks the keys and the world of the target. ${cure}`
    return { isUnderstudy, keys: {}, head: {}, ...(isUnderstudy && { issue }) }
  }
}

/** The world of a server, and its keys by the labels that they have in the recording. */
async function readStart(
  remote: Remote,
  withWorld: boolean,
): Promise<Pick<TargetInfo, 'keys'> & { start: Pick<RecordingHead, 'world' | 'seed'> }> {
  if (!withWorld) {
    const keys = (await remote.keys.list()).filter(({ label, value }) => label !== value)
    return { keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])), start: {} }
  }
  const world = await remote.world.read()
  const labels = (withoutKeyValues(world).keys ?? []).map(({ label }) => label)
  const values = (world.keys ?? []).map(({ value }) => value)
  const keys = Object.fromEntries(values.map((value, index) => [labels[index], value]))
  for (const name of fixtureNames) {
    const fixture = createSimulator({ world: await readWorld(name) }).world.toJSON()
    const start = nameWorld(world, name, fixture)
    if (start) return { keys, start }
  }
  return { keys, start: { world } }
}
