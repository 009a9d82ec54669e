import http from 'node:http'
import { getResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import type { FaultEffect } from '../../src/simulator/faults/fault.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { intercept } from './intercept.ts'

// node-http.test.ts shows dropped connections. test/consumers/clients has more clients, and compares them with a server.
const url = `http://app.example.com${annotationsPath}`
const headers = authorization()

/** Starts a simulator whose lists meet a fault. */
function simulatorWith(effect: FaultEffect) {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'listAnnotations', effect })
  intercept(simulator.handlers)
  return simulator
}

/** Sends a request by `node:http`. @returns the error that ends its body */
function readByNode(): Promise<unknown> {
  return new Promise((resolve) => {
    http.get(url, { headers }, (response) => response.on('error', resolve).resume())
  })
}

test('fetch behind setupServer has the code of a connection that breaks', async () => {
  simulatorWith({ drop: true })

  const error = await fetch(url, { headers }).catch(Object)

  expect(error).toBeInstanceOf(TypeError)
  expect(error.cause).toMatchObject({ name: 'Error', code: 'ECONNRESET' })
})

test.each([0, 20])('a body that ends after %i bytes is a closed connection', async (cut_bytes) => {
  const { handlers } = simulatorWith({ cut_bytes })
  const xhr = { [Symbol('kRawRequest')]: { upload: {} } }

  const byNode = await readByNode()
  const byXhr = await getResponse(handlers, Object.assign(new Request(url, { headers }), xhr))
  const byFetch = await (await fetch(url, { headers })).text().catch(Object)

  expect(byNode).toMatchObject({ message: 'aborted', code: 'ECONNRESET' })
  expect(byFetch).toMatchObject({ message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } })
  expect(byXhr?.type).toBe('error')
})

test('a client of node:http that leaves at the response does not throw at the cut', async () => {
  simulatorWith({ cut_bytes: 20 })

  const error = await new Promise((resolve) => {
    const request = http.get(url, { headers }, (response) => {
      response.on('error', resolve)
      request.destroy()
    })
  })

  expect(error).toMatchObject({ message: 'aborted', code: 'ECONNRESET' })
})

test('a request whose body fails is a network error, and is noted', async () => {
  const simulator = createSimulator()
  intercept(simulator.handlers)
  const printed = vi.spyOn(console, 'error')
  const init = (): RequestInit => {
    const failing = new ReadableStream({
      pull: (body) => body.error(new Error('the disk is gone')),
    })
    return { method: 'POST', headers, body: failing, duplex: 'half' } as RequestInit
  }

  await expect(fetch(url, init())).rejects.toThrow(TypeError)
  await expect(simulator.fetch(url, init())).rejects.toThrow(TypeError)
  const client = new AbortController()
  const abandoned = simulator.fetch(url, { ...init(), signal: client.signal })
  client.abort()
  await expect(abandoned).rejects.toThrow()

  const noted = 'no response: the client failed to send the body: the disk is gone'
  expect(simulator.journal.find().map(({ reason }) => reason)).toEqual([noted, noted])
  expect(printed).not.toHaveBeenCalled()
})
