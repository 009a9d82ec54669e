'use client'
import { use } from 'react'

const started =
  process.env.NODE_ENV === 'development' && process.env.NEXT_PUBLIC_OFFLINE
    ? import('understudy-api/browser').then(({ startInBrowser }) => startInBrowser())
    : null

/** Renders its children when the simulator answers their requests. */
export function Offline({ children }) {
  if (started && typeof window === 'object') use(started)
  return children
}
