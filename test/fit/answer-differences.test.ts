import { expect, test } from 'vitest'
import {
  type AnswerDifference,
  about,
  contradicts,
  type Differences,
  favours,
  isExplained,
  likeness,
} from '../../src/fit/answer-differences.ts'

/** Parts of a response in which a simulator differs from the service, as `kind name=what the simulator has, …`. */
function differ(parts: string): Differences {
  const matches = [...parts.matchAll(/(\w+) ([\w.]+)(?:=(\w+))?/g)]
  return new Map(
    matches.map(([, kind, name = '', simulated = 'x']): [string, AnswerDifference] => [
      kind === 'kept' ? `kept ${name}` : name,
      {
        ...{ kind: kind as AnswerDifference['kind'], simulated, refused: ['a'] },
        words: () => ({}) as never,
      },
    ]),
  )
}

const fiveMore =
  'field a=present, field b=present, field c=present, field d=present, field e=present'

test.each<[title: string, mine: string, theirs: string, isFavoured: boolean]>([
  ['neither differs', '', '', false],
  ['only theirs has another row', '', 'part rows', true],
  ['only mine has another row', 'part rows', '', false],
  ['each has another part', 'part rows', 'part count', false],
  ['theirs has another status', 'part rows', 'status status', true],
  ['mine keeps another value, which theirs refuses', 'kept a', 'status status', false],
  ['both have another status', 'status status', 'status status', false],
  ['mine has another kind of body', 'certain body', 'part rows', false],
  ['mine has another body, theirs another status', 'certain body', 'status status', true],
  ['mine lacks a field, theirs has another row', 'field a=absent', 'part rows', false],
  ['mine lacks one field, theirs has five more', 'field z=absent', fiveMore, true],
  ['mine lacks two, theirs has five more', 'field y=absent, field z=absent', fiveMore, false],
  ['mine has one field more, theirs lacks one', 'field z=present', 'field a=absent', false],
])('a response favours one simulator over another: %s', (_, mine, theirs, isFavoured) => {
  expect(favours(differ(mine), differ(theirs))).toBe(isFavoured)
})

test.each<[title: string, mine: string, theirs: string, isAgainst: boolean]>([
  ['neither differs', '', '', false],
  ['neither has its status, and theirs is another', 'status status=a', 'status status=b', true],
  ['neither has its status, and theirs is the same', 'status status=a', 'status status=a', false],
  ['only mine has another status', 'status status', '', false],
  ['its row keeps another value', 'kept a', '', true],
  ['both keep the same other value', 'kept a', 'kept a', false],
  ['mine has another row', 'part rows', '', false],
  ['both have another header than the service, each its own', 'hint allow=a', 'hint allow=b', true],
  ['both have the same header, and not its own', 'hint allow=a', 'hint allow=a', false],
])('a response contradicts a simulator: %s', (_, mine, theirs, isAgainst) => {
  expect(contradicts(differ(mine), differ(theirs))).toBe(isAgainst)
})

test('a response is more like a simulator the fewer parts differ, and not at all with another status', () => {
  const all = [differ(''), differ('part a'), differ('part a, hint b'), differ('status status')]

  expect(all.map(likeness)).toEqual([20, 10 + 10 / 1.1, 10 + 10 / 1.2, 0])
})

test('a response is explained if nothing differs but what no reader looks at', () => {
  const unseen = new Map([['allow', { kind: 'hint', simulated: 'x', words: null } as const]])

  const all = [
    differ(''),
    differ('field a=absent'),
    unseen,
    differ('hint allow'),
    differ('part rows'),
  ]

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
