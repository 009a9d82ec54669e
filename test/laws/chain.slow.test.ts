import { test } from 'vitest'
import { laws } from './chain/laws.ts'
import { checkLaw } from './chain/run.ts'

const count = Number(process.env.CHAIN_COUNT ?? 1_000)

test.each(laws)('$name', { timeout: 1_200_000 }, async (law) => checkLaw(law, count))
