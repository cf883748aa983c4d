/** A filtered table whose filter and sort live in the address. */
import { formatSort, parseSort, type Sort } from "../lib/sort.ts";
import { at, go } from "../state/place.ts";
import { FilteredTable, type TableProps } from "../ui/FilteredTable.tsx";

type Props<R> = Omit<TableProps<R>, "filter" | "onFilter" | "sort" | "onSort"> & {
  /** How it is sorted until the person chooses. */
  first: string;
  /** The second table of a view has keys of its own. */
  second?: boolean;
};

export function PlacedTable<R>({ first, second = false, ...rest }: Props<R>) {
  const [filter, sort] = second ? (["find", "order"] as const) : (["filter", "sort"] as const);
  return (
    <FilteredTable
      {...rest}
      filter={at(filter)}
      onFilter={(text) => go({ [filter]: text }, true)}
      sort={parseSort(at(sort)) ?? parseSort(first)}
      onSort={(chosen: Sort) => go({ [sort]: formatSort(chosen) }, true)}
    />
  );
}
