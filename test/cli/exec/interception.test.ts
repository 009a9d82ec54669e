import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startInterception } from '../../../src/cli/intercept.ts'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'

const host = 'app.example.invalid'

async function intercept(onClose = () => {}) {
  const simulator = createSimulator()
  const plain = await listen(simulator)
  onTestFinished(() => plain.close())
  return startInterception({
    hosts: [host],
    plain,
    onRefused: () => {},
    listen: async (tls) => {
      const encrypted = await listen(simulator, { tls })
      const close = () => encrypted.close().then(onClose)
      onTestFinished(() => encrypted.close())
      return { ...encrypted, close }
    },
  })
}

/** Sends CONNECT, and leaves its own side open. */
function openTunnel(proxy: string, name: string): Socket {
  const socket = connect({ port: Number(new URL(proxy).port), allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write(`CONNECT ${name}:443 HTTP/1.1\r\nhost: ${name}\r\n\r\n`)
  return socket
}

test('a refused tunnel is closed, although the client leaves its side open', async () => {
  const { env, close } = await intercept()
  const socket = openTunnel(env.HTTPS_PROXY as string, 'other.invalid')

  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  await new Promise((resolve) => socket.once('end', resolve))
  await close()

  expect(response).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  expect(response).toContain('Only the hosts of --intercept')
})

test('an open tunnel does not keep the proxy open', async () => {
  const { env, close } = await intercept()
  const socket = openTunnel(env.HTTPS_PROXY as string, host)
  await new Promise((resolve) => socket.once('data', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve).once('error', () => {}))

  await close()
  socket.end()

  await closed
})

test('a folder that cannot be created leaves no server open', async () => {
  vi.stubEnv('TMPDIR', '/none/such')
  onTestFinished(() => void vi.unstubAllEnvs())
  const onClose = vi.fn()

  await expect(intercept(onClose)).rejects.toThrow('ENOENT')

  expect(onClose).toHaveBeenCalledOnce()
})
