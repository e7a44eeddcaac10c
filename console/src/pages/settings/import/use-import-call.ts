/** One call of the page: says why it failed, and reads again what it changed. */
import { useState } from 'react'
import { useFailureSentence } from '../../../parts/failure-notice.tsx'
import { ImportRefused } from './import-api.ts'

export interface ImportCall {
  readonly isRunning: boolean
  /** Why the last one failed; empty when it did not. */
  readonly problem: string
  run(act: () => Promise<unknown>): Promise<void>
}

export function useImportCall(onChanged: () => Promise<unknown>): ImportCall {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState('')
  const sentence = useFailureSentence()
  return {
    isRunning,
    problem,
    async run(act) {
      setRunning(true)
      setProblem('')
      try {
        await act()
      } catch (error) {
        setProblem(error instanceof ImportRefused ? error.message : sentence(error))
      }
      await onChanged()
      setRunning(false)
    },
  }
}
