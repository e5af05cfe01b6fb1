import { memo, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { SolveLink } from '../../solve-state/solve-badge.tsx'
import {
  DocumentSize,
  describeItem,
  FavouriteButton,
  ItemPicture,
  MenuButton,
  PublicIcon,
  SelectBox,
  ThreadsMark,
} from './item-parts.tsx'
import { type ItemsProps, type RowHandlers, useItemProps, useRows } from './item-table.tsx'
import styles from './list.module.css'
import { addressOf, type ListItem } from './list-items.ts'
import { useWindowRows, WHOLE_LIST } from './use-window-rows.ts'

/** The size of a card with the space to the next one, in pixels, as in `list.module.css`. */
const CARD_WIDTH = 180
const CARD_HEIGHT = 232

/** The items as cards with pictures. */
export function ItemGrid(props: ItemsProps) {
  const { items, selection, teamId, mayEdit, showsSize } = props
  const list = useRef<HTMLUListElement>(null)
  const [columns, setColumns] = useState(4)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setColumns(Math.max(1, Math.floor(entry!.contentRect.width / CARD_WIDTH))),
    )
    observer.observe(list.current!)
    return () => observer.disconnect()
  }, [])
  const count = Math.ceil(items.length / columns)
  const rows = useWindowRows(list, { count, height: CARD_HEIGHT, isWhole: items.length <= WHOLE_LIST })
  const handlers = useRows(props, list, (index) => rows.scrollTo(Math.floor(index / columns)), columns)
  const [from, to] = [rows.from * columns, rows.to * columns]
  return (
    <ul
      ref={list}
      className={styles.grid}
      aria-label="Contents"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        paddingTop: rows.before,
        paddingBottom: rows.after,
      }}
    >
      {items.slice(from, to).map((item, at) => (
        <ItemCard
          key={item.id}
          item={item}
          index={from + at}
          total={items.length}
          isSelected={selection.ids.has(item.id)}
          teamId={teamId}
          mayEdit={mayEdit}
          showsSize={showsSize}
          handlers={handlers}
        />
      ))}
    </ul>
  )
}

const ItemCard = memo(function ItemCard(props: {
  item: ListItem
  index: number
  total: number
  isSelected: boolean
  teamId: string
  mayEdit: boolean
  showsSize: boolean
  handlers: RowHandlers
}) {
  const { item, index, total, isSelected, teamId, mayEdit, showsSize, handlers } = props
  const itemProps = useItemProps(props)
  return (
    <li className={styles.card} aria-setsize={total} aria-posinset={index + 1} {...itemProps}>
      <div className={styles.picture}>
        <ItemPicture item={item} size="card" />
      </div>
      <div className={styles.cardBox}>
        <SelectBox item={item} isSelected={isSelected} onChoose={(how) => handlers.choose(index, how)} />
      </div>
      <div className={styles.cardName}>
        <Link to={addressOf(item, teamId)} className={styles.link} title={item.name} data-item-link>
          {item.name}
        </Link>
        {showsSize && <DocumentSize item={item} />}
        {item.kind === 'document' && <ThreadsMark threads={item.document.threads} />}
        {item.kind === 'document' && <PublicIcon visibility={item.document.visibility} />}
      </div>
      <div className={styles.cardFoot}>
        {item.kind === 'document' ? (
          <SolveLink documentId={item.id} summary={item.document} />
        ) : (
          <span className={styles.facts}>{describeItem(item)}</span>
        )}
        <div className={styles.actions}>
          <FavouriteButton item={item} />
          {mayEdit && <MenuButton item={item} teamId={teamId} />}
        </div>
      </div>
    </li>
  )
})
