import { test } from 'vitest'
import { laws } from './chain/laws.ts'
import { checkLaw } from './chain/run.ts'

const count = Number(process.env.CHAIN_COUNT ?? 1_000)

const { CHAIN_LAW = '' } = process.env

test.each(laws.filter(({ name }) => name.includes(CHAIN_LAW)))(
  '$name',
  { timeout: 1_200_000 },
  async (law) => checkLaw(law, count),
)
