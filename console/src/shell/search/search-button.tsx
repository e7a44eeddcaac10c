/** Opens the search, with the pointer, with "/" or with Ctrl+K. */
import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { useTexts } from '../../texts/index.tsx'
import { shellTexts } from '../texts/index.ts'
import { useEarlyLetters } from './use-early-letters.ts'

/** Loaded after the page, when the browser has time: it knows all settings and the lists of all things. */
const loadDialog = () => import('./search-dialog.tsx')
const SearchDialog = lazy(async () => ({ default: (await loadDialog()).SearchDialog }))

/** The button, and the dialog that it opens. */
export function SearchButton() {
  const t = useTexts(shellTexts)
  const [text, setText] = useState('')
  const [isWaiting, setIsWaiting] = useState(false)
  const [isOpen, { open, close }] = useDisclosure(false, {
    onOpen: () => {
      setText('')
      setIsWaiting(true)
    },
    onClose: () => setIsWaiting(false),
  })
  useEarlyLetters(isWaiting, setText)
  useEffect(() => {
    const timer = setTimeout(() => void loadDialog().catch(() => {}), 1500)
    return () => clearTimeout(timer)
  }, [])
  // A slash is typed with Shift on many keyboards. In fields it is a character.
  useHotkeys([
    ['/', open],
    ['shift+/', open],
  ])
  useHotkeys([['mod+K', open]], [])
  const icon = <Icon name="search" size={16} />
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        leftSection={icon}
        rightSection={<Kbd size="xs">/</Kbd>}
        visibleFrom="sm"
        c="dimmed"
        fw={400}
        aria-keyshortcuts="/ Control+K Meta+K"
      >
        {t.search.button}
      </Button>
      <ActionIcon variant="default" size="lg" onClick={open} hiddenFrom="sm" aria-label={t.search.button}>
        {icon}
      </ActionIcon>
      <Suspense fallback={null}>
        {isOpen && <SearchDialog text={text} onChange={setText} onReady={() => setIsWaiting(false)} onClose={close} />}
      </Suspense>
    </>
  )
}
