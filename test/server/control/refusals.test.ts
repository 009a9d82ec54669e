import { expect } from 'vitest'
import { socketTest, start } from '../../support/lanes/start.ts'

const refusals: readonly [line: string, body: unknown, status: number, detail: string][] = [
  [
    'POST sandboxes',
    { from: 'emty' },
    400,
    'expected the name of a fixture, a snapshot or a sandbox ("default", "empty", "before", ' +
      '"sandbox-1", "sandbox-2", "sandbox-3", "sandbox-4", "sandbox-5", "sandbox-6", "sandbox-7", ' +
      '"sandbox-8", "sandbox-9", … and 3 more), got "emty". Did you mean empty?',
  ],
  ['POST sandboxes', { keys: { al: 'phx_x' } }, 400, 'got "al". Did you mean "all"?'],
  ['POST sandboxes', { profile: 'lvie' }, 400, 'Did you mean live?'],
  ['GET sandboxes/snadbox-1', undefined, 404, 'Did you mean "sandbox-1"?'],
  ['GET sandboxes/sandbox-99', undefined, 404, 'it was never created, or has ended.'],
  ['DELETE sandboxes/sandbox1', undefined, 404, 'Did you mean "sandbox-1"?'],
  ['GET snapshots/befor', undefined, 404, 'Did you mean "before"?'],
  ['DELETE snapshots/befor', undefined, 404, 'Did you mean "before"?'],
  ['POST snapshots/befor/restore', undefined, 404, 'Did you mean "before"?'],
  ['PATCH policies', { 'anotations.delete.status': 405 }, 400, 'mean annotations.delete.status?'],
  ['PATCH policies', { 'annotations.delete.status': 409 }, 400, '405, 405_empty, got 409.'],
  ['PATCH policies', { 'annotations.delete.status': '405_emty' }, 400, 'Did you mean 405_empty?'],
  ['PUT clock', { mode: 'frozen', tiem: '2024-06-01' }, 400, 'Did you mean "time"?'],
  ['PUT clock', { mode: 'frozn' }, 400, 'got "frozn". Did you mean "frozen"?'],
  [
    'POST faults',
    { operation: 'listAnnotations', effect: { error: 'throtled' } },
    400,
    'Did you mean "throttled"?',
  ],
  ['POST faults', { preset: 'flakky' }, 400, 'Did you mean flaky?'],
  [
    'POST faults',
    { operation: 'listAnotations', effect: { status: 500 } },
    400,
    'Did you mean listAnnotations?',
  ],
  ['DELETE faults/fualt-1', undefined, 404, 'Did you mean "fault-1"?'],
  ['DELETE actors/acto-1', undefined, 404, 'Did you mean "actor-1"?'],
  ['GET journal?sttus=4xx', undefined, 400, 'Did you mean "status"?'],
  ['POST verify', { key: 'al' }, 400, 'Did you mean "all"?'],
  ['POST record', { titel: 'A launch' }, 400, 'unknown field "titel". Did you mean "title"?'],
  ['GET why?resource=anotation&id=1', undefined, 400, 'Did you mean annotation?'],
  ['GET world/anotations', undefined, 404, 'Did you mean "annotations"?'],
  ['PATCH world/annotations/1', { contnt: 'x' }, 400, 'Did you mean "content"?'],
  ['GET scenarios/activity-tells-what-was-don', undefined, 404, 'activity-tells-what-was-done"?'],
  ['GET cloc', undefined, 404, 'Endpoint not found. Did you mean /__admin/clock?'],
]

socketTest.each(refusals)(
  '%s %j is refused with %i and the nearest name',
  async (line, body, status, detail) => {
    const { control, simulator } = await start()
    simulator.snapshots.save('before')
    simulator.faults.add({ operation: 'listAnnotations', effect: { status: 500 } })
    simulator.actors.add({
      after: { operation: 'listAnnotations' },
      steps: [{ delete: 'annotations', id: 2 }],
    })
    for (let count = 0; count < 12; count++) simulator.sandboxes.create()
    const [method = '', path = ''] = line.split(' ')

    const refused = await control(method, `/__admin/${path}`, body === undefined ? {} : { body })

    expect(refused).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
  },
)
