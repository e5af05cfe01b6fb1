import type { Random } from '@meadow/server/src/testing/random.ts'

const PLACES = (
  'Nordhavn,Kölner Straße,Harbour,Quai 12,Elbbrücke,Riverside,Hauptbahnhof,Canal Side,Østerport,Mill Lane,Seestadt,' +
  'Camden,Belvedere,Gare du Nord,Limmat,Old Foundry,Praça Nova,King Street,Marina,Tech Park,Airport West,Žižkov,' +
  'Opera,Science Quarter,Lakeview,Dockyard,Stadion,Arsenal,Botanical Garden,Terminal 3'
).split(',')
const KINDS_OF_BUILDING =
  'Tower,Pavilion,Bridge,Station,School,Museum,Roof,Housing,Office,Hall,Clinic,Canopy'.split(',')
const PHASES =
  'Brief,Concept,Scheme,Design,Detail,Tender,Construction,As Built,Competition,Options,Archive,Exchange,Reports,Incoming'.split(
    ',',
  )
const SUBJECTS = (
  'Facade,Panel,Truss,Gridshell,Stair,Slab,Column,Core,Ramp,Louvre,Mullion,Ceiling,Handrail,Terrace,Glazing,Rib,Shell,' +
  'Vault,Cable net,Membrane,Dachtragwerk,Fassade,Stütze,Träger,Formwork,Rebar,Waffle,Lattice,Node,Bracket,Brick,Timber'
).split(',')
const PARTS = (
  'panel,corner,edge,joint,connection,layout,grid,axis,surface,section,outline,pattern,opening,support,module,segment,' +
  'bracket,profile,seam,fold,bay,frame'
).split(',')
const TASKS = (
  'study,optimisation,export,nesting,analysis,unroll,schedule,fabrication,rationalisation,quantities,clash check,daylight,' +
  'wind load,sun hours,numbering,labelling,exchange,drawing,prototype,mockup,test,panelisation,milling,cutting'
).split(',')

/** Every document's name ends with this and a number: a search for it matches all documents. */
export const IN_EVERY_NAME = 'v'

/** Returns a document's name, in one of several common patterns. */
export function documentName(random: Random): string {
  const [subject, part, task] = [random.pick(SUBJECTS), random.pick(PARTS), random.pick(TASKS)]
  const version = `${IN_EVERY_NAME}${String(random.whole(1, 40)).padStart(2, '0')}`
  const patterns = [
    () => `${subject} ${part} ${task} ${version}`,
    () => `${subject}_${part}_${task}_${version}`.toLowerCase().replaceAll(' ', '_'),
    () => `${random.pick(PLACES)} - ${subject} ${task} ${version}`,
    () =>
      `${random.whole(18, 26)}${String(random.whole(1, 12)).padStart(2, '0')}_${subject}-${task} ${version}`,
    () =>
      `${subject} ${task} ${random.pick(['Option', 'Level', 'Zone', 'Axis'])} ${random.whole(1, 30)} ${version}`,
  ]
  return random.pick(patterns)()
}

/** Returns a folder's name: projects on top, then phases, then subjects. `index` makes it unique among its siblings. */
export function folderName(random: Random, depth: number, index: number): string {
  const number = String(index + 1).padStart(2, '0')
  if (depth === 1) return `${1000 + index} ${random.pick(PLACES)} ${random.pick(KINDS_OF_BUILDING)}`
  if (depth === 2) return `${number} ${random.pick(PHASES)}`
  return `${random.pick(SUBJECTS)} ${random.pick(PARTS)} ${number}`
}
