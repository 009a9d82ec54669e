import { test } from 'vitest'
import { laws } from './chain/laws.ts'
import { checkLaw } from './chain/run.ts'

// CHAIN_SEED selects other sessions.
test.each(laws)('$name', async (law) => checkLaw(law, 5))
