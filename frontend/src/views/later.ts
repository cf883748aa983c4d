/** The views that are fetched when one of them is first opened: one file, since they share much. */

// Reaching all that the first view is made of puts it into one chunk, which packs better than three.
import "../main.tsx";

export { BlockPages } from "./BlockPages.tsx";
export { BlocksView } from "./BlocksView.tsx";
export { CaptureHelp, Recipes } from "./Capture.tsx";
export { CompareView } from "./CompareView.tsx";
export { FlameView } from "./FlameView.tsx";
export { Origins } from "./Origins.tsx";
export { Overview } from "./Overview.tsx";
export { ProgramsView } from "./ProgramsView.tsx";
export { SnapshotsView } from "./SnapshotsView.tsx";
export { TimelineView } from "./TimelineView.tsx";
export { Waiting } from "./Waiting.tsx";
