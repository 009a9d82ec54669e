import { expect, test } from 'vitest'
import { requestScript, type ScriptedRequest } from '../support/api/request-script.ts'
import { start } from '../support/lanes/start.ts'

test('the same requests give the same bytes, run after run', async () => {
  const first = await run(requestScript)
  const second = await run(requestScript)

  expect(first).toHaveLength(requestScript.length)
  expect(second).toEqual(first)
})

test('so they do in the profile live, after a reset, and after a snapshot', async () => {
  const { simulator, ...client } = await started('live')
  const snapshot = simulator.snapshot()

  const first = await client.play(requestScript)
  simulator.reset()
  const afterReset = await client.play(requestScript)
  simulator.restore(snapshot)
  const afterRestore = await client.play(requestScript)

  expect(afterReset).toEqual(first)
  expect(afterRestore).toEqual(first)
  expect(await (await started('live')).play(requestScript)).toEqual(first)
})

async function run(lines: readonly ScriptedRequest[]): Promise<string[]> {
  return (await started('documented')).play(lines)
}

async function started(profile: 'documented' | 'live') {
  const { simulator, origin } = await start({ profile })
  const play = async (lines: readonly ScriptedRequest[]) => {
    const answers: string[] = []
    for (const { method, path, headers, body } of lines) {
      const answer = await fetch(origin + path, {
        method,
        headers,
        ...(body && { body: body as BodyInit }),
      })
      const text = (await answer.text()).replaceAll(origin, '')
      answers.push(`${method} ${path} → ${answer.status} ${answer.headers.get('allow')} ${text}`)
    }
    return answers
  }
  return { simulator, play }
}
