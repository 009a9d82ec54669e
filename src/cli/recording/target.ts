import { connect as connectTo, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { RemoteError } from '../../remote/client.ts'
import { connect } from '../../remote/connect.ts'
import { nearestProfile } from '../../scenarios/recording/change-steps.ts'
import type { RecordingHead } from '../../scenarios/recording/recorder.ts'
import { toUnreachableError } from '../../scenarios/run/target.ts'
import { isLoopback } from '../../utils/network.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'

/** Parses the URL of a target, without a slash at its end. @throws UsageError for any other text, or a URL with a query */
export function parseTarget(text: string): string {
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url && url.search === '' && url.hash === '' && url.username === '') {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  const expected = 'a URL without a query, such as https://app.example.com'
  throw unexpectedValue('read --target', expected, text)
}

/** Opens and closes a connection. @throws UnreachableError if the target does not respond, or its certificate is not trusted */
export async function checkReachable(target: string): Promise<void> {
  const { protocol, hostname, port } = new URL(target)
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const address = { host, port: Number(port || (isSecure ? 443 : 80)), timeout: 10_000 }
  await new Promise<void>((resolve, reject) => {
    const socket = isSecure
      ? connectSecurely({ ...address, ...(isIP(host) === 0 && { servername: host }) }, resolve)
      : connectTo(address, resolve)
    const fail = (error: Error & { code?: string }): void =>
      reject(toUnreachableError(target, { cause: error }) ?? error)
    socket.once('error', fail)
    socket.once('timeout', () => fail(Object.assign(new Error('nothing'), { code: 'ETIMEDOUT' })))
    socket.once(isSecure ? 'secureConnect' : 'connect', () => socket.destroy())
  })
}

/** Reads keys, policies and clock of an Understudy server on this machine. Returns nothing for any other target. */
export async function readTargetInfo(
  target: string,
  token: string | undefined,
): Promise<{ keys: Readonly<Record<string, string>>; header: RecordingHead }> {
  const unknown = { keys: {}, header: {} }
  if (!isLoopback(new URL(target).hostname)) return unknown
  const remote = connect(target, token === undefined ? {} : { token })
  try {
    await remote.health()
    const keys = (await remote.keys.list()).filter(({ label, value }) => label !== value)
    const policies = await remote.policies.list()
    const { mode, now } = await remote.clock.read()
    const settings = Object.fromEntries(policies.map(({ id, setting }) => [id, setting]))
    return {
      keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
      header: { ...nearestProfile(settings as never), ...(mode === 'frozen' && { clock: now }) },
    }
  } catch (error) {
    if (error instanceof RemoteError) return unknown
    throw error
  }
}
