import { operations } from './operations.ts'
import { explain, journal, overview, readRows, report, scenario, settings } from './read-tools.ts'
import { sendRequest } from './send-request.ts'
import type { Tool } from './tool.ts'
import { faults, reset, sandboxes, writeRows } from './write-tools.ts'

export const tools: readonly Tool[] = [
  ...[overview, operations, sendRequest, explain, journal, report, readRows],
  ...[writeRows, faults, settings, reset, sandboxes, scenario],
]
