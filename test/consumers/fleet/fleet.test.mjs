// Three servers behind nginx, which finds the one that has the sandbox of a key.
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const balancer = 'http://127.0.0.1:4980'
const ports = [4981, 4982, 4983]
const count = 2_000
const token = 'fleet-token-0123456789'
const keys = Array.from({ length: count }, (_, index) => `phx_fleet_${index}`)
const processes = []

const start = (command, ...flags) => {
  const started = spawn(command, flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  processes.push(started)
  return started
}
const bin = join('node_modules', '.bin', 'understudy-api')
const startServer = (port) => start(bin, 'serve', '--quiet', '--port', port, '--token', token)

before(async () => {
  for (const port of ports) startServer(port)
  const configuration = join(import.meta.dirname, 'nginx.conf')
  start('nginx', '-p', mkdtempSync(join(tmpdir(), 'fleet-')), '-e', 'stderr', '-c', configuration)
  await Promise.all([...ports, 4980].map(isOpen))
})

after(() => {
  for (const started of processes) started.kill()
})

test('2,000 sandboxes are made and used by 18,000 requests through the balancer, none on another server', async () => {
  const wrong = []
  await atOnce(keys, async (key) => {
    const made = await makeSandbox(key)
    const created = await callAs(key, '', {
      method: 'POST',
      body: JSON.stringify({ content: key }),
    })
    const counts = []
    for (let read = 0; read < 7; read++) {
      const listed = await callAs(key, `?search=${key}`)
      counts.push((await listed.json()).count)
    }
    const isRight = counts.every((rows) => rows === 1)
    if (!made.ok || created.status !== 201 || !isRight) wrong.push(key)
  })

  assert.deepEqual(wrong, [])
})

test('each server shows its own sandboxes, and together they have all', async () => {
  const lists = await Promise.all(ports.map(listSandboxes))
  const pages = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/__admin/`)))

  assert.equal(lists.flat().length, count)
  assert.ok(lists.every(({ length }) => length > count / 10))
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('when a server ends, its sandboxes are gone and the others go on', async () => {
  const lost = (await listSandboxes(ports[0])).length
  processes[0].kill()
  await new Promise((resolve) => processes[0].once('exit', resolve))
  const statuses = new Map()
  await atOnce(keys, async (key) => {
    const { status } = await callAs(key, '')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  const [key] = keys

  assert.deepEqual(Object.fromEntries(statuses), { 200: count - lost, 401: lost })
  assert.ok((await makeSandbox(`${key}_again`)).ok)
  assert.equal((await callAs(`${key}_again`, '')).status, 200)
})

function makeSandbox(key) {
  return fetch(`${balancer}/__admin/sandboxes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'sandbox-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ keys: [{ label: 'all', value: key }] }),
  })
}

function callAs(key, rest, init = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${balancer}/api/projects/1/annotations/${rest}`, { ...init, headers })
}

async function listSandboxes(port) {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${port}/__admin/sandboxes`, { headers })).json()
}

/** Handles all, 40 at a time. */
async function atOnce(all, handle) {
  const rest = all.values()
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      for (const value of rest) await handle(value)
    }),
  )
}

/** Waits until a port accepts a connection. */
async function isOpen(port) {
  for (;;) {
    const isAccepted = await new Promise((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.end())
    })
    if (isAccepted) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
