import { operations } from './operations.ts'
import {
  explain,
  findSettings,
  journal,
  overview,
  readRows,
  report,
  scenario,
} from './read-tools.ts'
import { sendRequest } from './send-request.ts'
import type { Tool } from './tool.ts'
import { changeFaults, changeSandboxes, reset, writeRows } from './write-tools.ts'

export const tools: readonly Tool[] = [
  ...[overview, operations, sendRequest, explain, journal, report, readRows],
  ...[writeRows, changeFaults, findSettings, reset, changeSandboxes, scenario],
]
