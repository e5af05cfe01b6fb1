import { Button, type ButtonProps } from '@mantine/core'

interface OlderButtonProps extends Pick<ButtonProps, 'size' | 'm' | 'w' | 'children'> {
  /** A query of pages, from the newest. */
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** A button that adds the next page to a list; nothing after the last one. */
export function OlderButton({ pages, ...props }: OlderButtonProps) {
  if (!pages.hasNextPage) return null
  return (
    <Button
      variant="default"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
      {...props}
    />
  )
}
