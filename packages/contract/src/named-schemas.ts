import { ChangedDocument, ChangedFolder, GoneItem, TeamChanges } from './changes.ts'
import {
  DataBranch,
  DataTree,
  DataValue,
  Domain,
  EncodedGeometry,
  GeometrySummary,
  JsonNumber,
  ObjectPart,
  Plane,
  UnknownValue,
  Xyz,
} from './data-tree.ts'
import { Cluster, Document, Group, Node, PartsNotFound, Port, PortReference } from './document.ts'
import { Author, DocumentFile, Picture, Plugin } from './document-file.ts'
import { Export } from './exports.ts'
import { ChildFolder, DocumentSummary, Folder, FolderReference, Visibility } from './folders.ts'
import { FoundDocument, IndexState, UsedComponent } from './search.ts'
import { BimDocument, BimObject, Completeness, PortLine, Solution, SolutionMessage } from './solutions.ts'
import { Team } from './team.ts'

/** Every named schema, for descriptions that refer to it by that name. */
export const NAMED_SCHEMAS = [
  Team,
  Folder,
  FolderReference,
  ChildFolder,
  DocumentSummary,
  FoundDocument,
  UsedComponent,
  IndexState,
  Visibility,
  Document,
  PartsNotFound,
  Node,
  Port,
  PortReference,
  Group,
  DocumentFile,
  Author,
  Plugin,
  Picture,
  Cluster,
  DataTree,
  DataBranch,
  DataValue,
  JsonNumber,
  Xyz,
  Domain,
  Plane,
  GeometrySummary,
  EncodedGeometry,
  ObjectPart,
  UnknownValue,
  Solution,
  PortLine,
  SolutionMessage,
  Completeness,
  BimDocument,
  BimObject,
  Export,
  TeamChanges,
  ChangedFolder,
  ChangedDocument,
  GoneItem,
]
