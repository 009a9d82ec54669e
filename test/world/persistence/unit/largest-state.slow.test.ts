import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { persistInFile } from '../../../../src/node.ts'
import { maxTextLength } from '../../../../src/utils/json.ts'
import { temporaryFolder } from '../../../support/files.ts'

/** A world whose text has some number of characters, most of them spaces. */
function worldOf(length: number) {
  return {
    world: {
      *toTexts() {
        const spaces = ' '.repeat(2 ** 24)
        for (let rest = length - 2; rest > 0; rest -= spaces.length) yield spaces.slice(0, rest)
        yield '{}'
      },
    },
    resume: (_world: object) => {},
    onChange: () => () => {},
  }
}

test.each([maxTextLength - 1, maxTextLength])(
  'a state of %i characters is read again',
  async (length) => {
    const file = join(temporaryFolder(), 'state.json')

    await (await persistInFile(worldOf(length), file)).close()
    const resumed: object[] = []
    const next = { ...worldOf(2), resume: (world: object) => void resumed.push(world) }
    await (await persistInFile(next, file)).close()

    expect([statSync(file).size, resumed]).toEqual([length, [{}]])
  },
)

test('a state that no string can hold is not written, and the file keeps its content', async () => {
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, '{}')
  let change = () => {}
  const onChange = (listener: () => void) => {
    change = listener
    return () => {}
  }
  const errors: Error[] = []
  const simulator = { ...worldOf(maxTextLength + 1), onChange }
  const persistence = await persistInFile(simulator, file, (error) => errors.push(error as Error))

  change()

  expect(await persistence.close()).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('{}')
  expect(errors.map(({ message }) => message)).toEqual([
    `Failed to save the state file ${file}: the world has more than 536870888 characters. Use fewer rows.`,
  ])
})
