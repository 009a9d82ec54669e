import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRequestStep, type Scenario } from '../../../src/scenarios/format/scenario.ts'
import { run } from '../../support/cli/command.ts'
import { runExec } from '../../support/cli/exec.ts'
import { shellClient } from '../../support/cli/shell-client.ts'
import { temporaryFolder } from '../../support/files.ts'

const readScenario = (file: string): Scenario => JSON.parse(readFileSync(file, 'utf8'))

test('exec --record writes the requests of a failing command, which replay in the world that they met', async () => {
  const file = join(temporaryFolder(), 'my run.json')
  const fault = '{"operation":"createAnnotation","when":{"times":1},"effect":{"status":503}}'

  const result = await runExec([
    ...['--fault', fault, '--record', file],
    ...shellClient(`
      ask POST $list '{"content":"Launch"}'
      ask PATCH /__admin/world/annotations/1 '{"content":"Changed by hand"}'
      ask POST $list '{"content":"Launch"}'
      UNDERSTUDY_KEY=phx_unknown ask POST $list text
      ask POST $list '{"content":"${'x'.repeat(70_000)}"}'
      exit 3`),
  ])
  const again = await run(['replay', file])

  expect([result.code, result.stderr.split('\n').slice(-3)]).toEqual([
    3,
    [
      `Wrote 4 requests to ${file}. To replay: npx understudy-api replay '${file}'. To write a test: npx understudy-api import '${file}' --as vitest`,
      expect.stringMatching(/: A body is neither JSON nor a form in steps/),
      '',
    ],
  ])
  const { title, world, steps } = readScenario(file)
  expect([title, world]).toEqual(['A run of bash', 'default'])
  const changed = expect.objectContaining({ id: 1, content: 'Changed by hand' })
  expect(steps.map((step) => (isRequestStep(step) ? step.expect?.status : step))).toMatchObject([
    { fault: { effect: { status: 503 } } },
    503,
    { world: { annotations: expect.arrayContaining([changed]) } },
    201,
    401,
    400,
  ])
  expect(again.code).toBe(0)
})

test('exec --record writes no file for a command without requests', async () => {
  const file = join(temporaryFolder(), 'run.json')

  const { code, stderr } = await runExec(['--record', file, '--', 'true'])

  expect([code, existsSync(file)]).toEqual([0, false])
  expect(stderr).toContain(`${file} was not written, because the journal has no request.`)

  writeFileSync(file, '{}')
  const again = await runExec(['--set=methods.put=on', '--record', file, '--', 'true'])

  expect(again.stderr).toMatch(/are not recorded\.\n.* have these settings, too\. Another/)
  expect(readFileSync(file, 'utf8')).toBe('{}')
})
