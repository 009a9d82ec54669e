import { expect, test } from 'vitest'
import { temporaryFile } from '../../support/files.ts'
import { serve } from '../../support/transports/start.ts'
import { replayNamed } from './replay-named.ts'

/** A scenario that names no world, of the number of annotations. */
function countFile(count: number): string {
  const path = '/api/projects/1/annotations/'
  const step = { as: 'all', method: 'GET', path, expect: { body: { count } } }
  return temporaryFile({ title: 'Count', steps: [step] })
}

test('a file without a world is replayed in that of the options, and a difference says so', async () => {
  const target = (await serve()).origin
  const differing = await replayNamed(countFile(0))

  expect(differing.accepted).toBe(false)
  expect(differing.notes).toEqual([
    `${differing.file} names no world; replayed in "default". Use --world NAME if it started with another one.`,
  ])
  expect(await replayNamed(countFile(6))).toMatchObject({ accepted: true, notes: [] })
  for (const options of [{ world: 'empty' }, { world: 'empty', target }]) {
    expect(await replayNamed(countFile(0), options)).toMatchObject({ accepted: true, notes: [] })
  }
  const ofService = await replayNamed(countFile(0), { target, key: { key: 'phx_all' } })
  expect(ofService).toMatchObject({ accepted: false, notes: [] })
  const { notes } = await replayNamed(countFile(6), { world: 'empty' })
  expect(notes).toEqual([expect.stringContaining('replayed in "empty"')])
  await expect(replayNamed(countFile(6), { world: 'emtpy' })).rejects.toThrow(
    /Did you mean empty\?$/,
  )
})
