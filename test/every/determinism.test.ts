import { expect, test } from 'vitest'
import { requestScript, type ScriptedRequest } from '../support/api/request-script.ts'
import { start } from '../support/transports/start.ts'

test('the same requests get the same bytes in every run', async () => {
  const first = await run(requestScript)
  const second = await run(requestScript)

  expect(first).toHaveLength(requestScript.length)
  expect(second).toEqual(first)
})

test('live, the same requests get the same bytes after a reset and after restoring a snapshot', async () => {
  const { simulator, send } = await startClient('live')
  const snapshot = simulator.snapshot()

  const first = await send(requestScript)
  simulator.reset()
  const afterReset = await send(requestScript)
  simulator.restore(snapshot)
  const afterRestore = await send(requestScript)

  expect(afterReset).toEqual(first)
  expect(afterRestore).toEqual(first)
  expect(await (await startClient('live')).send(requestScript)).toEqual(first)
})

async function run(requests: readonly ScriptedRequest[]): Promise<string[]> {
  return (await startClient('documented')).send(requests)
}

async function startClient(profile: 'documented' | 'live') {
  const { simulator, origin } = await start({ profile })
  const send = async (requests: readonly ScriptedRequest[]) => {
    const transcript: string[] = []
    for (const { method, path, headers, body } of requests) {
      const response = await fetch(origin + path, {
        method,
        headers,
        ...(body && { body: body as BodyInit }),
      })
      const text = (await response.text()).replaceAll(origin, '')
      const allow = response.headers.get('allow')
      transcript.push(`${method} ${path} → ${response.status} ${allow} ${text}`)
    }
    return transcript
  }
  return { simulator, send }
}
