import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Reads a published file with the JDBC driver, as DBeaver, Metabase and Tableau do. */
public class ReadJdbc {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        String[] views = args[2].split(",");
        // DuckDB 1.1 takes minutes to plan the judged views, so it reads those that are named.
        boolean isOld = args.length > 3 && args[3].equals("old");
        List<Integer> rows = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String before;
        String beside;
        String version;
        try (Connection old = open(path)) {
            version = old.getMetaData().getDatabaseProductVersion();
            try (ResultSet found = old.getMetaData().getTables(null, "main", "%", new String[] {"VIEW"})) {
                while (found.next()) names.add(found.getString("TABLE_NAME"));
            }
            check(!names.isEmpty(), "no views");
            if (isOld) names.retainAll(List.of(views));
            check(scalar(old, "select count(*) from duckdb_columns() where not internal and comment is null").equals("0"),
                "columns without a comment");
            Map<String, Integer> counts = new HashMap<>();
            for (String name : names) counts.put(name, count(old, "select * from " + name));
            for (String view : views) {
                rows.add(counts.getOrDefault(view, 0));
                check(rows.get(rows.size() - 1) > 0, view + " is empty");
            }
            try (Statement statement = old.createStatement()) {
                statement.execute("create table main.mine (a integer)");
                throw new IllegalStateException("a read-only connection wrote");
            } catch (SQLException refused) {
                // As it should be.
            }
            before = syncDay(old);
            Files.move(Path.of(args[1]), path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            check(syncDay(old).equals(before), "an open connection changed under the reader");
            try (Connection second = open(path)) {
                beside = syncDay(second).equals(before) ? "old" : "new";
            }
        }
        try (Connection fresh = open(path)) {
            check(syncDay(fresh).compareTo(before) > 0, "a new connection sees the old file");
        }
        System.out.printf("JDBC %s: %d views read, every column explained, rows %s; second publish seen, beside an open "
            + "connection the %s state%n", version, names.size(), rows, beside);
    }

    private static Connection open(Path path) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("duckdb.read_only", "true");
        return DriverManager.getConnection("jdbc:duckdb:" + path, properties);
    }

    private static String syncDay(Connection connection) throws SQLException {
        return scalar(connection, "select cast(sync_day as varchar) from sync_settings");
    }

    private static String scalar(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static int count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            int rows = 0;
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                for (int column = 1; column <= columns; column++) result.getObject(column);
                rows++;
            }
            return rows;
        }
    }

    private static void check(boolean isTrue, String problem) {
        if (!isTrue) throw new IllegalStateException(problem);
    }
}
