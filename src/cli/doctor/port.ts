import { createServer } from 'node:net'
import { type Check, fine } from './check.ts'

/** Whether a server can listen there. */
export async function checkPort(host: string, port: number): Promise<Check> {
  const name = 'port'
  const where = `${host}:${port}`
  const code = await refusalOf(host, port)
  if (code === null) return fine(name, `${where} is free`)
  const advice = 'Choose another with --port, or any free one with --port 0.'
  if (code !== 'EADDRINUSE') {
    const found = `${where} cannot be used (${code})`
    return { name, outcome: 'failed', found, advice: `Choose others with --host and --port.` }
  }
  const who = await serverAt(host, port)
  return { name, outcome: 'failed', found: `${where} is taken by ${who}`, advice }
}

function refusalOf(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code = 'an error' }: NodeJS.ErrnoException) => resolve(code))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

/** Often it is one of ours that somebody forgot. */
async function serverAt(host: string, port: number): Promise<string> {
  try {
    const address = host.includes(':') ? `[${host}]` : host
    const signal = AbortSignal.timeout(1_000)
    const answer = await fetch(`http://${address}:${port}/__admin/openapi.json`, { signal })
    const { info } = (await answer.json()) as { info?: { title?: string; version?: string } }
    if (/understudy/i.test(info?.title ?? '')) return `an Understudy ${info?.version}`
  } catch {
    // Whoever it is speaks something else.
  }
  return 'another program'
}
