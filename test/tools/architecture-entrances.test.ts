import { expect, test } from 'vitest'
import { type Source, sources } from '../support/sources.ts'

test('all that is public says what it is', () => {
  const entrances = [
    'index.ts',
    'node.ts',
    'browser.ts',
    'express.ts',
    'factories.ts',
    'playwright.ts',
    'vitest.ts',
  ]
  const silent = sources
    .filter(({ file }) => entrances.includes(file))
    .flatMap(({ text }) => [
      ...text.matchAll(/export (?:type )?(\*|\{[^}]*\}) from '\.\/([^']+)'/g),
    ])
    .flatMap(([, names = '', file = '']) => {
      const { text } = sources.find((source) => source.file === file) as Source
      const wanted = names.match(/\w+/g)
      return [...text.matchAll(/(\*\/)?\nexport (?:async )?\w+ (\w+)/g)]
        .filter(([, comment, name]) => !comment && (wanted?.includes(name as string) ?? true))
        .map(([, , name]) => `${name} in ${file}`)
    })

  expect(silent).toEqual([])
})
