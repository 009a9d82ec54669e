import { expect, test } from 'vitest'
import {
  type AnswerDifference,
  about,
  contradicts,
  type Differences,
  favours,
  isExplained,
  likeness,
} from '../../src/explain/answer-differences.ts'

/** Parts of a response in which a simulator differs from the service, as `kind name=what the simulator has`. */
function differ(...parts: readonly string[]): Differences {
  return new Map(
    parts.map((part): [string, AnswerDifference] => {
      const [, kind = '', name = '', simulated = 'x'] =
        /^(\w+) ([\w.[\]]+)(?:=(\w+))?$/.exec(part) ?? []
      return [
        kind === 'kept' ? `kept ${name}` : name,
        {
          ...{ kind: kind as AnswerDifference['kind'], simulated, refused: ['a'] },
          words: () => ({}) as never,
        },
      ]
    }),
  )
}

const none = differ()
const missing = ['a', 'b', 'c', 'd', 'e'].map((name) => `field ${name}=absent`)

test.each<[title: string, mine: Differences, theirs: Differences, isFavoured: boolean]>([
  ['neither differs', none, none, false],
  ['only theirs has another row', none, differ('part rows'), true],
  ['only mine has another row', differ('part rows'), none, false],
  ['both have the same other row', differ('part rows'), differ('part rows'), false],
  ['each has another part', differ('part rows'), differ('part count'), false],
  ['theirs has another status', differ('part rows'), differ('status status'), true],
  [
    'mine keeps another value, which theirs refuses',
    differ('kept a'),
    differ('status status'),
    false,
  ],
  [
    'mine keeps another value, and theirs refuses one',
    differ('kept b'),
    differ('status status'),
    true,
  ],
  ['both have another status', differ('status status'), differ('status status'), false],
  ['mine has another kind of body', differ('certain body'), differ('part rows'), false],
  ['theirs has another header', none, differ('hint allow'), true],
  ['theirs lacks a field', none, differ('field a=absent'), true],
  [
    'mine lacks a field and has no other right, theirs has another row',
    differ('field a=absent'),
    differ('part rows'),
    false,
  ],
  [
    'mine lacks one field, theirs has five more',
    differ('field z=absent'),
    differ(...missing.map((part) => part.replace('absent', 'present'))),
    true,
  ],
  [
    'mine lacks two fields, theirs has five more',
    differ('field y=absent', 'field z=absent'),
    differ(...missing.map((part) => part.replace('absent', 'present'))),
    false,
  ],
  [
    'mine has one field more, theirs lacks one',
    differ('field z=present'),
    differ('field a=absent'),
    false,
  ],
])('a response favours one simulator over another: %s', (_, mine, theirs, isFavoured) => {
  expect(favours(mine, theirs)).toBe(isFavoured)
})

test.each<[title: string, mine: Differences, theirs: Differences, isAgainst: boolean]>([
  ['neither differs', none, none, false],
  [
    'neither has its status, and theirs is another',
    differ('status status=a'),
    differ('status status=b'),
    true,
  ],
  [
    'neither has its status, and theirs is the same',
    differ('status status=a'),
    differ('status status=a'),
    false,
  ],
  ['only mine has another status', differ('status status'), none, false],
  ['its row keeps another value', differ('kept a'), none, true],
  [
    'its row keeps another value, which theirs refuses',
    differ('kept a'),
    differ('status status'),
    true,
  ],
  ['both keep the same other value', differ('kept a'), differ('kept a'), false],
  ['mine has another row', differ('part rows'), none, false],
  [
    'both lack a field of the service, and they differ in a field',
    differ('field a=absent', 'field b=absent'),
    differ('field a=absent'),
    true,
  ],
  [
    'both have another header than the service, each its own',
    differ('hint allow=a'),
    differ('hint allow=b'),
    true,
  ],
  [
    'both have the same header, which is not that of the service',
    differ('hint allow=a'),
    differ('hint allow=a'),
    false,
  ],
  [
    'both lack a field of a row in the service',
    differ('field r.a=absent', 'field b=absent'),
    differ('field r.a=absent'),
    false,
  ],
  [
    'both have a field more than the service',
    differ('field a=present', 'field b=present'),
    differ('field a=present'),
    false,
  ],
  [
    'both lack a field, and they differ in none',
    differ('field a=absent'),
    differ('field a=absent'),
    false,
  ],
  [
    'both lack a field, and they differ in nine',
    differ('field z=absent', ...'abcdefghi'.split('').map((name) => `field ${name}=absent`)),
    differ('field z=absent'),
    false,
  ],
])('a response contradicts a simulator: %s', (_, mine, theirs, isAgainst) => {
  expect(contradicts(mine, theirs)).toBe(isAgainst)
})

test('a response is more like a simulator the fewer parts differ, and not at all with another status', () => {
  const all = [none, differ('part a'), differ('part a', 'hint b'), differ('status status')]

  expect(all.map(likeness)).toEqual([20, 10 + 10 / 1.1, 10 + 10 / 1.2, 0])
})

test('a response is explained if nothing differs but what no reader looks at', () => {
  const unseen = new Map([['allow', { kind: 'hint', simulated: 'x', words: null } as const]])

  const all = [none, differ('field a=absent'), unseen, differ('hint allow'), differ('part rows')]

  expect(all.map(isExplained)).toEqual([true, false, true, false, false])
})

test('a difference that is about another setting says nothing about a value, and a minor one makes nothing less alike', () => {
  const ofErrors: AnswerDifference = {
    ...{ kind: 'hint', simulated: 'x', words: null },
    ...{ subject: 'errors.body', isMinor: true },
  }
  const all = new Map([...differ('part a'), ['form', ofErrors] as const])

  expect([...about('errors.body', all).keys()]).toEqual(['a', 'form'])
  expect([...about('headers.allow', all).keys()]).toEqual(['a'])
  expect(likeness(all)).toBe(likeness(differ('part a')))
})
