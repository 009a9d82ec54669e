import { expect, test } from 'vitest'
import { dependencesOfAll, truthOf } from './clients/sweep-in-process.ts'
import { quickClients } from './clients/typescript.ts'

test('quick clients in TypeScript depend on what they take for granted, and on nothing else', async () => {
  const found = await dependencesOfAll(quickClients)

  expect(found).toEqual(truthOf(quickClients))
})
