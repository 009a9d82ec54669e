import { createServer, type Server } from 'node:net'

/**
 * Finds a port that is free at the moment. It is below the ports that the system gives to connections and to servers on
 * port 0, so that they cannot take it before the test does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** Finds as many free ports in a row, the first of which ends with 1, so that `{n}` can stand for the last digit. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const start = Math.min(65_500, Math.floor((await freePort()) / 10) * 10)
    const ports = Array.from({ length: count }, (_, index) => start + index + 1)
    const servers = await Promise.allSettled(ports.map(occupy))
    const opened = servers.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    await Promise.all(opened.map((server) => new Promise((resolve) => server.close(resolve))))
    if (opened.length === count) return ports
  }
}

function occupy(port: number): Promise<Server> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
