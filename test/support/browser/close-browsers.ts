import { afterAll } from 'vitest'
import { closeBrowsers } from './chromium.ts'

afterAll(closeBrowsers)
